export function ensureBuilt(): void
export const appSources: string[]
