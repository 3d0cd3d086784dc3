// Fails when a document or a comment names a file that does not exist.
import { findMissingPaths } from './doc-paths.mjs'
import { note } from './installed.mjs'

const missing = findMissingPaths()
for (const line of missing) note(line)
if (missing.length > 0) process.exitCode = 1
