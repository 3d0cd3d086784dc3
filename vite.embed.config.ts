import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The page of a published insight, built by itself: strangers load nothing of the dashboard. */
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'embed.html' },
  },
})
