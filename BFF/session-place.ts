import type { FastifyRequest } from 'fastify'

const maxBrowserCharacters = 300

/** What a person later recognizes a session by. */
export const sessionPlace = ({ headers, ip }: FastifyRequest) => ({
  browser: (headers['user-agent'] ?? '').slice(0, maxBrowserCharacters),
  address: ip,
})
