import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

import { ServiceHealth } from '#contract/session.ts'
import { send } from './call.ts'
import { msSinceResponse } from './last-response.ts'

const beatMs = 1000
const beatWhileLostMs = 300
const patienceMs = 1000

/**
 * While the connection is lost, queries and mutations wait instead of failing, and continue when it is back.
 * `navigator.onLine` is not used, because it says nothing about a server on the same machine.
 */
export function watchConnection() {
  onlineManager.setEventListener((setConnected) => watch(setConnected))
}

export const useIsConnected = () =>
  useSyncExternalStore(
    (notice) => onlineManager.subscribe(notice),
    () => onlineManager.isOnline(),
  )

/** Resolves at once, or when the connection is back. */
export async function untilConnected() {
  if (onlineManager.isOnline() && (await isServed())) return
  await new Promise<void>((resolve) => {
    const stop = onlineManager.subscribe((isConnected) => {
      if (!isConnected) return
      stop()
      resolve()
    })
    onlineManager.setOnline(false)
  })
}

/** Only two missed checks in a row mean a lost connection; one may be a busy machine. */
function watch(setConnected: (isConnected: boolean) => void) {
  let lostBeats = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const beat = async () => {
    const isAlive = (lostBeats === 0 && msSinceResponse() < beatMs) || (await isServed())
    lostBeats = isAlive ? 0 : lostBeats + 1
    if (lostBeats !== 1) setConnected(isAlive)
    schedule(isAlive ? beatMs : beatWhileLostMs)
  }
  const schedule = (afterMs: number) => {
    clearTimeout(timer)
    if (document.visibilityState === 'visible') timer = setTimeout(() => void beat(), afterMs)
  }
  const beatSoon = () => schedule(0)

  document.addEventListener('visibilitychange', beatSoon)
  schedule(beatMs)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', beatSoon)
  }
}

/** Whether the BFF answers and reaches the platform. */
const isServed = () =>
  send(ServiceHealth, { method: 'GET', url: '/healthz', signal: AbortSignal.timeout(patienceMs) }).then(
    ({ platform }) => platform === 'ok',
    () => false,
  )
