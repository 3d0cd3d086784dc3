import { useMutation } from '@tanstack/react-query'
import { type RefObject, useEffect, useEffectEvent } from 'react'

import { whenLoaded } from '#src/shared/figures/when-loaded.ts'

/** Prints a report when all its figures and images have loaded, including for Ctrl/⌘ P. */
export function usePrint(rendered: RefObject<HTMLElement | null>) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      if (rendered.current) await whenLoaded(rendered.current)
    },
    onSuccess: () => window.print(),
    // Without a network, a report prints what it has.
    networkMode: 'always',
  })
  const print = () => mutate()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (!isPending) print()
  })
  // Browser API: keys. The browser's own command would not wait.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
  return { print, isPending }
}
