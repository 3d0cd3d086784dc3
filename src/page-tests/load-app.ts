import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'

import { inject } from 'vitest'

import type * as BundledApp from './app.tsx'

const file = inject('served').app
const script = new Script(`(() => { ${readFileSync(file, 'utf8')}\nreturn app })`, { filename: file })

/** Evaluates the whole app anew, as a browser does when it loads a page. It is compiled only once. */
export const loadApp = script.runInThisContext() as () => typeof BundledApp
