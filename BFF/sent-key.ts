import type { FastifyRequest } from 'fastify'

/**
 * The API key of a program that calls the API at the address of the app, such as the command line. A request with a cookie is a
 * browser's: its session counts, whatever else it sends.
 */
export const readSentKey = ({ headers }: FastifyRequest) =>
  headers.cookie === undefined ? /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1] : undefined
