import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const bff = `http://127.0.0.1:${process.env['PORT'] ?? '4400'}`

/**
 * Few files per page instead of one per shared module: what the shell and the first page load, what three pages or more
 * share, what every tab of an experiment loads. Left to themselves, shared modules make some forty requests of a page.
 */
const groups = [
  { name: 'shell', tags: ['$initial' as const], priority: 3 },
  {
    name: 'shared',
    test: /@mantine|@tanstack|(src|contract|statistics).(?!charts|editor|features.experiments.definition|check-definition)/,
    minShareCount: 3,
    priority: 2,
  },
  {
    name: 'experiment',
    test: /src.features.(experiments.ExperimentPage|submit.SubmitOutlet|results.(ResultsTab|to-candidates))/,
    priority: 1,
  },
  { name: 'form', test: /node_modules.(@mantine.form|klona|fast-deep-equal)|src.forms/, priority: 3 },
  // Large, and only where something is written, drawn, or a definition is read: no part of what pages share.
  {
    name: 'definition',
    test: /js-yaml|src.(editor.check-text|features.experiments.definition.Definition(Editor|Tab))/,
  },
  { name: 'editor', test: /node_modules.(@codemirror|@lezer|@uiw)|src.editor.editor-theme/, minShareCount: 2 },
  { name: 'plots', test: /node_modules.(recharts|victory-vendor|d3-|@reduxjs)/, minShareCount: 2 },
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
  server: {
    proxy: {
      '/api': bff,
      '/admin': bff,
      '/session': bff,
      '/healthz': bff,
      '/checkout': bff,
      '/unsubscribe': bff,
      '/docs/api/openapi.json': bff,
    },
  },
})
