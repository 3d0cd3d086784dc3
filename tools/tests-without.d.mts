export function findTestsWithout(variable: string, folder: string): string[]
