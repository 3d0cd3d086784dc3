import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/** Frees what nothing refers to any more. V8 does it later, and much later where most of the memory is outside its heap. */
export function collectGarbage() {
  collect ??= findCollector()
  collect()
}

/** V8 offers it to new contexts only after the flag is set. */
function findCollector() {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('gc')
  return found as () => void
}
