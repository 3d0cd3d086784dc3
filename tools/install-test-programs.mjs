// The programs that `npm test` needs and this machine lacks. One after another, because apt-get locks its database.
import { ensureBrowser } from './browser.mjs'
import { ensureBubblewrap, ensureImageTools } from './bubblewrap.mjs'
import { ensurePostgres } from './postgres.mjs'

ensureBubblewrap()
ensureImageTools()
ensurePostgres()
try {
  ensureBrowser()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
