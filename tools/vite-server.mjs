// The development server: hot reload for src/; the BFF answers everything else.
import { createServer } from 'vite'

const { PORT, BFF_PORT } = process.env
const target = `http://127.0.0.1:${BFF_PORT}`

// Vite keeps the Host header, so the BFF compares the Origin with the address in the browser.
const proxy = Object.fromEntries(['/api', '/session', '/healthz'].map((path) => [path, { target }]))

// For a published insight, the page comes from here and its data from the BFF.
proxy['/embed/insights'] = { target, bypass: ({ url }) => (url.endsWith('/data') ? undefined : '/embed.html') }

const server = await createServer({
  server: { host: '127.0.0.1', port: Number(PORT), strictPort: true, proxy },
  clearScreen: false,
})
await server.listen()

process.once('SIGTERM', () => void server.close().then(() => process.exit(0)))
process.once('SIGINT', () => void server.close().then(() => process.exit(0)))
