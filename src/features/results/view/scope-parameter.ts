import type { Scope } from '#src/statistics/scope.ts'

/** The names of scopes in the URL parameter `scope`. */
export const scopeParameter: Record<Scope, string> = { 'prompts like these': 'like-these', 'these prompts': 'these' }
