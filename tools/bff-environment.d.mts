export function withheldFromBff(environment: NodeJS.ProcessEnv): Record<string, undefined>
