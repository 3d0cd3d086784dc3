import { posix } from 'node:path'

import { DockerfileFault } from './parse-dockerfile.ts'

type Character = (character: string) => boolean
/**
 * `name`: any characters of one name. `folders`: nothing, or the next token, which is `inside`: any folders and the slash
 * after them. `rest`: anything.
 */
type Token = Character | 'name' | 'folders' | 'inside' | 'rest'

/** A line of a .dockerignore. `matches` adds the steps it took to the count. */
export type IgnorePattern = { isNegated: boolean; matches: (path: string, count: (steps: number) => void) => boolean }

const maxPatterns = 1000
const maxPatternCharacters = 1000

/** Reads a .dockerignore by the rules of Docker. Throws DockerfileFault for a line that Docker refuses. */
export function readIgnorePatterns(text: string, file: string): IgnorePattern[] {
  const patterns = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index) => {
      const trimmed = line.trim()
      if (line.startsWith('#') || trimmed === '') return []
      const isNegated = trimmed.startsWith('!')
      const written = isNegated ? trimmed.slice(1).trim() : trimmed
      if (written === '') throw new DockerfileFault(index + 1, 'excludes nothing: a pattern must follow the !', file)
      if (written.length > maxPatternCharacters)
        throw new DockerfileFault(index + 1, `is longer than ${maxPatternCharacters} characters`, file)
      const tokens = tokensOf(cleanPath(written))
      if (!tokens) throw new DockerfileFault(index + 1, `has the pattern ${trimmed}, which is not complete`, file)
      return [{ isNegated, matches: (path: string, count: Count) => matchTokens(tokens, path, count) }]
    })
  if (patterns.length > maxPatterns)
    throw new DockerfileFault(maxPatterns + 1, `is one pattern too many: at most ${maxPatterns} are allowed`, file)
  return patterns
}

type Count = Parameters<IgnorePattern['matches']>[1]

/** Patterns are relative to the context, whether they start with a slash or not. */
const cleanPath = (text: string) =>
  posix
    .normalize(text)
    .replace(/(?<=.)\/$/, '')
    .replace(/^\/(?=.)/, '')

function tokensOf(pattern: string): Token[] | null {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? ''
    if (character === '*' && pattern[at + 1] === '*') {
      at += pattern[at + 2] === '/' ? 2 : 1
      tokens.push(...(at + 1 < pattern.length ? (['folders', 'inside'] as const) : (['rest'] as const)))
    } else if (character === '*') tokens.push('name')
    else if (character === '?') tokens.push((actual) => actual !== '/')
    else if (character === '[') {
      const found = readClass(pattern, at + 1)
      if (!found) return null
      tokens.push(found.matches)
      at = found.end
    } else {
      if (character === '\\') at += 1
      const wanted = pattern[at]
      if (wanted === undefined) return null
      tokens.push((actual) => actual === wanted)
    }
  }
  return tokens
}

/** A class such as [a-z] or [^.], which matches one character of a name. */
function readClass(pattern: string, start: number): { matches: Character; end: number } | null {
  const isExcluding = pattern[start] === '^'
  const ranges: [from: string, to: string][] = []
  let at = isExcluding ? start + 1 : start
  const next = () => {
    if (pattern[at] === '\\') at += 1
    at += 1
    return pattern[at - 1]
  }
  while (pattern[at] !== ']') {
    const from = next()
    const isRange = pattern[at] === '-' && pattern[at + 1] !== ']'
    if (isRange) at += 1
    const to = isRange ? next() : from
    if (from === undefined || to === undefined || to < from) return null
    ranges.push([from, to])
  }
  if (ranges.length === 0) return null
  const isInside = (actual: string) => ranges.some(([from, to]) => from <= actual && actual <= to)
  return { matches: (actual) => actual !== '/' && isInside(actual) !== isExcluding, end: at }
}

/**
 * Follows all ways through the pattern at once, character by character. So no pattern takes longer than the product of
 * both lengths.
 */
function matchTokens(tokens: readonly Token[], path: string, count: Count) {
  // The last position of the path at which a place of the pattern was reached.
  const reachedAt = new Int32Array(tokens.length + 1).fill(-1)
  let places: number[] = []
  let steps = 1
  const stay = (place: number, at: number) => {
    if (reachedAt[place] === at) return
    reachedAt[place] = at
    places.push(place)
  }
  const reach = (start: number, at: number) => {
    for (let place = start; reachedAt[place] !== at;) {
      const token = tokens[place]
      if (token === 'folders') {
        reachedAt[place] = at
        stay(place + 1, at)
        place += 2
      } else {
        stay(place, at)
        if (token !== 'name') return
        place += 1
      }
    }
  }
  reach(0, 0)
  for (let at = 0; at < path.length && places.length > 0; at += 1) {
    const character = path[at] ?? ''
    const before = places
    places = []
    steps += before.length
    for (const place of before) {
      const token = tokens[place]
      if (token === 'rest') stay(place, at + 1)
      else if (token === 'inside') {
        stay(place, at + 1)
        if (character === '/') reach(place + 1, at + 1)
      } else if (token === 'name') {
        if (character !== '/') reach(place, at + 1)
      } else if (typeof token === 'function' && token(character)) reach(place + 1, at + 1)
    }
  }
  count(steps)
  return places.some((place) => place === tokens.length || tokens[place] === 'rest')
}
