import { useEffect, useEffectEvent } from 'react'

type PageAction = { label: string; run: () => void }

let offered: readonly PageAction[] = []
const listeners = new Set<() => void>()

function set(next: readonly PageAction[]) {
  offered = next
  for (const listener of listeners) listener()
}

/** The actions of the page's buttons in their order; the palette offers them too. */
export const pageActions = {
  current: () => offered,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}

/** Offers a button's action in the palette while the component is mounted and has a label. */
export function usePageAction(label: string | undefined, run: () => void) {
  const runLatest = useEffectEvent(run)
  // The palette is elsewhere in the tree and loads later.
  useEffect(() => {
    if (label === undefined) return undefined
    const verb = { label, run: () => runLatest() }
    set([...offered, verb])
    return () => set(offered.filter((other) => other !== verb))
  }, [label])
}
