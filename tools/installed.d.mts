export function isRelease(folder: string): boolean
