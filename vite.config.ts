import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'

const bff = `http://127.0.0.1:${process.env['PORT'] ?? '4400'}`

export default defineConfig({
  plugins: [react()],
  css: { postcss: { plugins: [mantine()] } },
  // The BFF replaces this text with the nonce of each response.
  html: { cspNonce: '__CSP_NONCE__' },
  build: { target: 'es2023', assetsInlineLimit: 0 },
  server: { proxy: { '/api': bff, '/session': bff, '/healthz': bff } },
})
