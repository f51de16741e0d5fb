//! The endpoint of the running engine: HTTP on 127.0.0.1 and the socket that bridges dial.
