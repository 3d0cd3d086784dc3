import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const bff = `http://127.0.0.1:${process.env['PORT'] ?? '4400'}`

/**
 * Few files per page instead of one per shared module: what the shell loads, what the first page and every other one
 * loads, what three pages or more share. Left to themselves, shared modules make some forty requests of a page.
 */
const groups = [
  { name: 'shell', tags: ['$initial' as const], priority: 5 },
  { name: 'page', test: /src.(features.home|url|charts.nice-axis|ui.(FilterBar|OutcomeGlyph|Fact))/, priority: 4 },
  { name: 'shared', test: /@mantine|@tanstack|(src|contract).(?!editor|charts)/, minShareCount: 3, priority: 3 },
  // Large, and only where something is written, drawn, or a definition is read: no part of what pages share.
  { name: 'experiment', test: /src.(features.experiments.ExperimentPage|features.submit.SubmitOutlet)/, priority: 2 },
  { name: 'yaml', test: /js-yaml/, priority: 2 },
  { name: 'editor', test: /node_modules.(@codemirror|@lezer|@uiw)/, minShareCount: 2, priority: 1 },
  { name: 'plots', test: /node_modules.(recharts|victory-vendor|d3-|@reduxjs)/, minShareCount: 2, priority: 1 },
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
  server: { proxy: { '/api': bff, '/session': bff, '/healthz': bff, '/checkout': bff } },
})
