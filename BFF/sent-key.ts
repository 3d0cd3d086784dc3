import type { FastifyRequest } from 'fastify'

/** The API key of a program that calls the API at the address of the app, such as the command line. Browsers send none. */
export const readSentKey = ({ headers }: FastifyRequest) =>
  /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1]
