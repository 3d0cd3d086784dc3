import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './installed.mjs'

const assets = join(root, 'dist/assets')

/** The sizes of the built scripts in transit, compressed with gzip, in kB. */
export function readScriptSizes() {
  const page = readFileSync(join(root, 'dist/index.html'), 'utf8')
  const [, entry] = /<script type="module"[^>]* src="\/assets\/([^"]+)"/.exec(page)
  const every = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const experiment = every.find((name) => name.startsWith('experiment-'))
  return {
    firstPage: total(withImports([entry])),
    experiment: total(withImports([entry, experiment])),
    everything: total(every),
  }
}

const total = (names) => [...names].reduce((sum, name) => sum + sizeOf(name), 0) / 1000

/** Files too small to be worth compressing are sent as they are. */
function sizeOf(name) {
  const compressed = join(assets, `${name}.gz`)
  return statSync(existsSync(compressed) ? compressed : join(assets, name)).size
}

/** These scripts and all that load with them; not those that a page loads later, with `import()`. */
function withImports(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const imports = readFileSync(join(assets, name), 'utf8').matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)
    withImports(
      [...imports].map(([, imported]) => imported),
      found,
    )
  }
  return found
}
