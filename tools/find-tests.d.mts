export function findTestsThatRead(variable: string, glob: string): string[]
export function findFastTests(glob: string): string[]
export function findTestsAbout(files: string[], glob: string): string[]
