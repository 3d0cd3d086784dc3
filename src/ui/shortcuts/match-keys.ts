import { type ShortcutId, shortcuts } from './registry.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** `mod+k`, `g`, `?`: shift is part of the character, alt belongs to the browser. */
export function keyName({ key, ctrlKey, metaKey, altKey }: Pressed): string | null {
  if (altKey) return null
  const name = key.length === 1 ? key.toLowerCase() : key
  return ctrlKey || metaKey ? `mod+${name}` : name
}

const byKeys = new Map<string, ShortcutId>(
  (Object.keys(shortcuts) as ShortcutId[]).map((id) => [shortcuts[id].keys, id]),
)

const firstKeys = new Set([...byKeys.keys()].filter((keys) => keys.includes(' ')).map((keys) => keys.split(' ')[0]))

/** What a key means after the key before it: a shortcut, the start of a sequence, or nothing. */
export function matchKeys(previous: string | null, key: string): { id: ShortcutId | null; pending: string | null } {
  const id = (previous === null ? undefined : byKeys.get(`${previous} ${key}`)) ?? byKeys.get(key) ?? null
  return { id, pending: id === null && firstKeys.has(key) ? key : null }
}
