export function shortClassNames(folder: string): (name: string, path: string) => string
