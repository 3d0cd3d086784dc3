import { z } from 'zod'

import { httpClient } from '#client/api/http-client.ts'
import { CommandError } from '#client/exit-codes.ts'
import type { Io } from '#client/io.ts'
import type { CommentPlace } from './read-pipeline.ts'

const Comments = z.array(z.object({ id: z.int(), body: z.string().nullable() }))

const perPage = 100
const mostPages = 20
/** GitHub's limit, less a margin. */
const mostCharacters = 60_000

/** Writes the comment, or changes the one with the same mark, so that a pull request has one per experiment. */
export async function postComment(
  io: Pick<Io, 'env'>,
  place: CommentPlace,
  { mark, text }: { mark: string; text: string },
) {
  const fetch = httpClient(io, io.env['ASSAY_CA_FILE'])
  const { list, edit, headers, method } = routesOf(place)

  async function send(url: string, init: { method: string; body?: string }) {
    const answer = await fetch(url, { ...init, headers: { ...headers, 'content-type': 'application/json' } })
    if (!answer.ok) throw new CommandError(`${new URL(url).host} answered with status ${answer.status}`)
    return answer.json()
  }

  async function find() {
    for (let page = 1; page <= mostPages; page += 1) {
      const comments = Comments.parse(await send(`${list}?per_page=${perPage}&page=${page}`, { method: 'GET' }))
      const found = comments.find(({ body }) => body?.startsWith(mark))
      if (found || comments.length < perPage) return found
    }
    return undefined
  }

  const body = JSON.stringify({ body: text.slice(0, mostCharacters) })
  const found = await find()
  await (found ? send(`${edit}/${found.id}`, { method, body }) : send(list, { method: 'POST', body }))
}

function routesOf(place: CommentPlace) {
  if (place.kind === 'github') {
    const repository = `${place.api}/repos/${place.repository}/issues`
    return {
      list: `${repository}/${place.number}/comments`,
      edit: `${repository}/comments`,
      method: 'PATCH',
      headers: { authorization: `Bearer ${place.token}`, accept: 'application/vnd.github+json', 'user-agent': 'assay' },
    }
  }
  const list = `${place.api}/projects/${encodeURIComponent(place.project)}/merge_requests/${place.number}/notes`
  return { list, edit: list, method: 'PUT', headers: { 'private-token': place.token } }
}
