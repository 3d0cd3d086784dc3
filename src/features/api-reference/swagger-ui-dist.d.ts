/** The package has no types. These are the parts we use. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** `React` is the viewer's own copy. */
  export type ViewerSystem = {
    React: { createElement: (type: unknown, properties?: object, ...children: unknown[]) => unknown }
    getComponent: (name: string, isContainer?: boolean) => unknown
  }
  type Plugin = (system: ViewerSystem) => { wrapComponents?: object; components?: object }
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
    layout?: string
    plugins?: Plugin[]
  }
  export default function SwaggerUI(options: Options): void
}
