import { type ShortcutId, shortcuts } from './registry.ts'

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** `mod+k`, `g`, `?`: Shift is part of the character, and Alt is left to the browser. */
export function keyName(pressed: Pressed): string | null {
  if (pressed.altKey) return null
  const name = characterOf(pressed)
  return pressed.ctrlKey || pressed.metaKey ? `mod+${name}` : name
}

/**
 * The typed character. Cyrillic, Greek and other letters count as the Latin letter at the same place of the keyboard,
 * and a French keyboard types digits with Shift.
 */
function characterOf({ key, code, shiftKey }: Pressed) {
  if (key.length !== 1) return key
  const [, letter, digit] = /^(?:Key([A-Z])|Digit([1-9]))$/.exec(code) ?? []
  if (letter !== undefined && !/^[ -~]$/.test(key)) return letter.toLowerCase()
  if (digit !== undefined && !shiftKey && !/^[\d/?]$/.test(key)) return digit
  return key.toLowerCase()
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
