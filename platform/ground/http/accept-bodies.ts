import type { FastifyInstance, FastifyRequest } from 'fastify'

import { otherEncodingOf } from '#contract/text-encoding.ts'
import { limits } from '#contract/wire/limit.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { wrongEncoding } from '#platform/ground/failures/refuse-unstorable-text.ts'
import { countJsonValues } from './count-json-values.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many values a JSON body may have. */
    bodyValues?: number
  }
}

/** Parses JSON, which may be empty if the body is optional. Any other body is text, which only a push reads. */
export function acceptBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, sent, done) => {
    const body = sent.toString()
    if (body === '') return done(null, undefined)
    const encoding = otherEncodingOf(body)
    if (encoding) return done(invalid(wrongEncoding('The request', encoding)))
    const most = request.routeOptions.config.bodyValues ?? limits.bodyValues
    if (countJsonValues(body, most) > most) return done(tooManyValues(most))
    return parseJson(request, body, done)
  })
  // An empty header counts as missing; the framework would reject the request.
  app.addHook('onRequest', async ({ raw }: FastifyRequest) => {
    if (raw.headers['content-type']?.trim() === '') delete raw.headers['content-type']
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body === '' ? undefined : body))
}

/** Before the text becomes values, each of which costs a hundred times its bytes. */
const tooManyValues = (most: number) =>
  invalid(`The body must have ${most.toLocaleString('en')} values or fewer, counted at every depth`)
