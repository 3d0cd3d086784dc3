/** The package has no types. These are the parts we use. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type SentRequest = { url: string; method?: string; headers: Record<string, string> }
  type Options = {
    domNode: HTMLElement
    spec: object
    docExpansion?: 'list' | 'full' | 'none'
    deepLinking?: boolean
    filter?: boolean
    defaultModelsExpandDepth?: number
    validatorUrl?: string | null
    requestInterceptor?: (request: SentRequest) => SentRequest
    plugins?: (() => { wrapComponents: Record<string, () => () => null> })[]
  }
  export default function SwaggerUI(options: Options): void
}
