export function findMissingPaths(base?: string): string[]
