import { useEffect, useEffectEvent } from 'react'

import { keyName, matchKeys } from './match-keys.ts'
import type { ShortcutId } from './registry.ts'

/** Returns false to decline, so that an outer handler or the browser gets the key. */
type Handler = (event: KeyboardEvent) => boolean | void

const handlers = new Map<ShortcutId, Handler[]>()
const sequenceMs = 1000
let pending: { key: string; at: number } | null = null

/** Handles a shortcut while the component is mounted. The innermost, latest handler goes first, a fallback last. */
export function useShortcut(id: ShortcutId, handler: Handler, { isFallback = false } = {}) {
  const handle = useEffectEvent(handler)
  // Browser API: keydown events, shared by one document listener.
  useEffect(() => {
    const own: Handler = (event) => handle(event)
    if (handlers.size === 0) document.addEventListener('keydown', dispatch)
    const others = handlers.get(id) ?? []
    handlers.set(id, isFallback ? [...others, own] : [own, ...others])
    return () => {
      const left = (handlers.get(id) ?? []).filter((other) => other !== own)
      if (left.length > 0) handlers.set(id, left)
      else handlers.delete(id)
      if (handlers.size === 0) document.removeEventListener('keydown', dispatch)
    }
  }, [id, isFallback])
}

function dispatch(event: KeyboardEvent) {
  const key = keyName(event)
  if (key === null || event.defaultPrevented || event.isComposing) return
  if (!key.startsWith('mod+') && (isTyping(event.target) || isMenuOpen())) return
  const previous = pending && event.timeStamp - pending.at < sequenceMs ? pending.key : null
  const { id, pending: next } = matchKeys(previous, key)
  pending = next === null ? null : { key: next, at: event.timeStamp }
  if (id === null) return
  const answered = handlers.get(id)?.some((handler) => handler(event) !== false) ?? false
  if (answered) event.preventDefault()
}

/** Letters choose an item or a word of these, or belong to the dialog in front of the page. */
const taking =
  'input, textarea, select, [role="textbox"], [role="combobox"], [role="listbox"], [role="menu"], [role="tree"], [role="dialog"], [role="alertdialog"]'

function isTyping(target: EventTarget | null) {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest(taking) !== null
}

/** The focus may still be on the button that opened the menu. */
const isMenuOpen = () => [...document.querySelectorAll('[role="menu"]')].some((menu) => menu.checkVisibility())
