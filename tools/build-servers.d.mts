export function serverFile(name: 'platform' | 'BFF' | 'assay' | 'people'): Promise<string>
export function serverSource(name: 'platform' | 'BFF' | 'assay' | 'people'): string
