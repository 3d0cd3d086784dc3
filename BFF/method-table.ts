import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Refusal } from './refusal.ts'
import { createMethodTable, wrongMethod } from '#contract/wire/method-table.ts'

/** Records every route added after it, and returns 405 for a method that a known path does not accept. */
export function refuseWrongMethods(app: FastifyInstance) {
  const table = createMethodTable()
  app.addHook('onRoute', ({ method, url }) => {
    // The built app is served under any path, but only with its existing files.
    if (url !== '/*') table.add(method, url)
  })
  return ({ method, url }: FastifyRequest) => {
    const [path = ''] = url.split('?')
    const allowed = table.allowed(path)
    if (allowed.length === 0 || allowed.includes(method)) return
    throw new Refusal('invalid_argument', wrongMethod(method, path, allowed), { allow: allowed.join(', ') }, 405)
  }
}
