import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const bff = `http://127.0.0.1:${process.env['PORT'] ?? '4400'}`

/**
 * Few files per page instead of one per shared module: what the shell loads, what every page loads, lists, form fields.
 * Left to themselves, shared modules make some forty requests of a page that needs ten.
 */
const groups = [
  { name: 'shell', tags: ['$initial' as const], priority: 4 },
  { name: 'page', test: /src.(features.home|url|ui.(FilterBar|SearchField|OutcomeGlyph))/, priority: 3 },
  { name: 'lists', test: /src.ui.(table|MultiFilter)/, priority: 2 },
  { name: 'fields', test: /mantine.core.*(NumberInput|Switch|PasswordInput|Modal|NativeSelect)/, priority: 1 },
  { name: 'shared', minShareCount: 2, minSize: 2000, entriesAware: true, entriesAwareMergeThreshold: 10_000 },
]

export default defineConfig({
  plugins: [react()],
  css: { postcss: { plugins: [mantine()] } },
  // The BFF replaces this text with the nonce of each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '/api': bff, '/session': bff, '/healthz': bff } },
})
