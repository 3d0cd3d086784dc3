import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'

import { type OwnSession, OwnSessions } from '#contract/session.ts'
import { send } from './call.ts'
import { queryClient } from './query-client.ts'

const queryKey = ['own sessions']

export const ownSessionsOptions = () =>
  queryOptions({ queryKey, queryFn: ({ signal }) => send(OwnSessions, { method: 'GET', url: '/session/all', signal }) })

async function end(url: string) {
  await send(z.undefined(), { method: 'DELETE', url }).finally(() => queryClient.invalidateQueries({ queryKey }))
}

export const endOwnSession = ({ name }: Pick<OwnSession, 'name'>) => end(`/session/all/${encodeURIComponent(name)}`)

export const endOtherSessions = () => end('/session/others')
