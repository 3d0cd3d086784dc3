import type { FastifyInstance, FastifyReply } from 'fastify'

import { unsubscribePath } from '#contract/mail.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { escapeHtml, plainPage, plainPagePolicy } from '#platform/ground/http/plain-page.ts'
import { readUnsubscription } from './unsubscribe-token.ts'
import { scopeWords, unsubscribe } from './unsubscribe.ts'

type Wildcard = { Params: { '*': string } }

const send = (reply: FastifyReply, title: string, body: string) =>
  reply
    .type('text/html; charset=utf-8')
    .headers({ 'content-security-policy': plainPagePolicy, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    .send(plainPage(title, body))

/**
 * The page of the link in emails. It needs no sign-in: only this installation can make a token, and it can do nothing
 * but end some emails. GET asks, because mail programs open links to check them; POST ends them, also from a mail program (RFC
 * 8058).
 */
export async function serveUnsubscribe(app: FastifyInstance, services: Services) {
  app.removeAllContentTypeParsers()
  // Whatever a mail program sends, the token says it all.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, _body, done) => done(null, undefined))
  const settings = `<p><a href="${escapeHtml(services.publicUrl)}/settings/notifications">Notification settings</a></p>`
  const url = unsubscribePath('*')
  const options = { exposeHeadRoute: false }
  const find = (token: string) => readUnsubscription(services.keys, token)
  const sendUnknown = (reply: FastifyReply) =>
    send(
      reply.status(404),
      'This unsubscribe link is not valid',
      `<p>Open the link from the email again, or change your notification settings.</p>${settings}`,
    )

  app.get<Wildcard>(url, options, async (request, reply) => {
    const found = find(request.params['*'])
    if (!found) return sendUnknown(reply)
    return send(
      reply,
      'Unsubscribe',
      `<p>Stop ${escapeHtml(scopeWords(found.scope))} from Assay?</p><form method="post"><button type="submit">Unsubscribe</button></form>`,
    )
  })
  app.post<Wildcard>(url, async (request, reply) => {
    const found = find(request.params['*'])
    if (!found) return sendUnknown(reply)
    await unsubscribe(services, found)
    return send(
      reply,
      'Unsubscribed',
      `<p role="status">You no longer get ${escapeHtml(scopeWords(found.scope))}.</p>${settings}`,
    )
  })
}
