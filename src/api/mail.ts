import { getMail, listMail, type MailLog, type MailState, restartMail, sendTestMail } from '#contract/mail.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey, endpointOptions, refresherOf } from './query-client.ts'

/** The queue moves by itself. */
const everyMs = 10_000

export const mailOptions = () => ({ ...endpointOptions(getMail, {}), refetchInterval: everyMs })

const emailsOf = ({ emails }: MailLog) => emails

export const mailLogOptions = (filter: { state?: MailState | undefined }) =>
  infiniteListOptions({
    queryKey: endpointKey(listMail, filter),
    queryFn: ({ pageParam, signal }) => call(listMail, { ...filter, pageToken: pageParam }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken ?? null,
    rowsOf: emailsOf,
    refetchInterval: everyMs,
  })

const thenRefresh = refresherOf(['mail'])

export const sendTestToMe = () => thenRefresh(call(sendTestMail, {}))
export const restartMailTo = (personId: string) => thenRefresh(call(restartMail, { personId }))
