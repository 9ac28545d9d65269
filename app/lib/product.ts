/** The instance's name for itself. The server fills the tokens into the page; in development they stay unfilled. */
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
  /** Other hosts that serve this instance. */
  get productionHosts() {
    return fromPage('data-production-hosts', '').split(',').filter(Boolean);
  },
  /** The build that this page belongs to. */
  get build() {
    return fromPage('data-build', 'development');
  },
};

/** The assistant's page. Its path contains the product's name; the route table knows it under this one. */
export const PRODUCT_AI_PATH = `/${product.slug}-ai` as '/muster-ai';
