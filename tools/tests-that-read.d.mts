export function findTestsThatRead(variable: string, glob: string): string[]
export function findTestsWithout(variable: string, glob: string): string[]
