import { type Scope, scopes } from '#statistics/scope.ts'

/** The names of scopes in the URL parameter `scope`. */
export const scopeParameter: Record<Scope, string> = { 'prompts like these': 'like-these', 'these prompts': 'these' }

/** The scope in the URL; null if it names none. */
export const readScope = (search: URLSearchParams): Scope | null =>
  scopes.find((scope) => scopeParameter[scope] === search.get('scope')) ?? null
