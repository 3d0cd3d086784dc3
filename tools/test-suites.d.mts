export const suitesWithMockedModules: string[]
export const suitesWithDocument: string[]
export const suitesAboutTheDatabase: string[]
export const suitesOnClickhouse: string[]
