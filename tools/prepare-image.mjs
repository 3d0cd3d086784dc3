// Builds everything that `npm start` and `tools/serve.mjs` would build at their first start, for images and packages.
import { ensureBuilt } from './build-app.mjs'
import { serverFile } from './build-servers.mjs'
import { ensureInstalled } from './installed.mjs'

ensureInstalled()
ensureBuilt()
await serverFile('platform')
