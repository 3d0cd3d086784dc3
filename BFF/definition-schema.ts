import type { FastifyInstance } from 'fastify'

import { definitionJsonSchema, definitionSchemaPath } from '#contract/definition.ts'

/** The JSON Schema of the experiment's YAML, for editors, which send no key. */
export function serveDefinitionSchema(app: FastifyInstance) {
  let text: string | undefined
  app.get(definitionSchemaPath, async (_request, reply) => {
    text ??= JSON.stringify(definitionJsonSchema())
    return reply.header('cache-control', 'public, max-age=300').type('application/schema+json').send(text)
  })
}
