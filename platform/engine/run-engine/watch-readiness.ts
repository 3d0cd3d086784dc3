import type { RunPlaces } from '#platform/engine/images/run-place.ts'
import { diskFailure, isDiskFull } from './full-disk.ts'

type Watched = {
  workFolder: string
  places: RunPlaces
  onError: (error: unknown, about: string) => void
}

/**
 * Returns whether a run that starts now can run. On a full disk or without its container engine it would fail at once, so none is
 * claimed until then, and `onError` is told once.
 */
export function watchReadiness({ workFolder, places, onError }: Watched) {
  let waitsFor: 'room' | 'engine' | null = null

  return async (): Promise<boolean> => {
    const before = waitsFor
    const reason = places.whyNotReady?.() ?? null
    waitsFor = (await isDiskFull(workFolder)) ? 'room' : reason === null ? null : 'engine'
    if (waitsFor === 'room' && before !== 'room')
      onError(diskFailure(), 'The worker claims no runs until its disk has free space')
    if (waitsFor === 'engine' && before !== 'engine')
      onError(new Error(reason ?? ''), 'The worker claims no runs until its container engine answers')
    return waitsFor === null
  }
}
