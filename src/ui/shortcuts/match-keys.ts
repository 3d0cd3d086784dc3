import { type ShortcutId, shortcuts } from './registry.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** `mod+k`, `g`, `?`: Shift is part of the character, and Alt is left to the browser. */
export function keyName({ key, ctrlKey, metaKey, altKey }: Pressed): string | null {
  if (altKey) return null
  const name = key.length === 1 ? key.toLowerCase() : key
  return ctrlKey || metaKey ? `mod+${name}` : name
}

const byKeys = new Map<string, ShortcutId>(
  (Object.keys(shortcuts) as ShortcutId[]).map((id) => [shortcuts[id].keys, id]),
)

const firstKeys = new Set([...byKeys.keys()].filter((keys) => keys.includes(' ')).map((keys) => keys.split(' ')[0]))

/** The meaning of a key after the previous one: a shortcut, the start of a sequence, or nothing. */
export function matchKeys(previous: string | null, key: string): { id: ShortcutId | null; pending: string | null } {
  const id =
    (previous === null ? undefined : byKeys.get(`${previous} ${key}`)) ??
    byKeys.get(key) ??
    (/^[1-9]$/.test(key) ? byKeys.get('1…9') : null) ??
    null
  return { id, pending: id === null && firstKeys.has(key) ? key : null }
}
