/** What this instance calls itself. The server fills the tokens into the page; in development they stay unfilled. */
function fromPage(attribute: string, fallback: string): string {
  const value = globalThis.document?.documentElement.getAttribute(attribute);
  return value && !value.startsWith('%') ? value : fallback;
}

export const product = {
  get name() {
    return fromPage('data-product-name', 'Muster');
  },
  get slug() {
    return fromPage('data-product-slug', 'muster');
  },
  /** Hosts that this instance is served under, beside the one of this page. */
  get productionHosts() {
    return fromPage('data-production-hosts', '').split(',').filter(Boolean);
  },
  /** Name of the build that this page came from. */
  get build() {
    return fromPage('data-build', 'development');
  },
};

/** Where the assistant is presented. Its path has the product's own name, which the table of routes knows by this one. */
export const PRODUCT_AI_PATH = `/${product.slug}-ai` as '/muster-ai';
