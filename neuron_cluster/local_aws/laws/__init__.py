"""The laws of ``template_law`` in API calls: what a service refuses in a template, it refuses in a request."""
