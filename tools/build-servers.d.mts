export function serverFile(name: 'platform' | 'BFF' | 'assay' | 'client' | 'people'): Promise<string>
export function serverSource(name: 'platform' | 'BFF' | 'assay' | 'client' | 'people'): string
export const serverSources: string[]
