"""The rules of ``template_rules`` in API calls: what a service refuses in a template, it refuses in a request."""
