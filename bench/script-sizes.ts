import { readScriptSizes } from '#tools/script-sizes.mjs'
import { report } from './result.ts'

/** The sizes of the scripts that `npm run build` made; e2e/script-sizes.spec.ts keeps them from growing. */
const { firstPage, experiment, everything } = readScriptSizes()
report([
  { what: 'script of the first page, gz', unit: 'kB', ours: firstPage, target: { atMost: 150 } },
  { what: 'script of a tab of an experiment, gz', unit: 'kB', ours: experiment },
  { what: 'all script, gz', unit: 'kB', ours: everything, target: { atMost: 600 } },
])
