import { whoami } from '#contract/identity.ts'
import { endpointOptions } from './query-client.ts'

export const whoamiOptions = () => ({ ...endpointOptions(whoami, {}), staleTime: 5 * 60_000 })
