// What the kernel says of the socket that Paho has to the broker.
#ifndef EDGEWISE_MQTT_PAHO_SOCKET_FACTS_H_
#define EDGEWISE_MQTT_PAHO_SOCKET_FACTS_H_

#include <cstdint>
#include <optional>

namespace edgewise::mqtt {

// Paho does not tell its descriptor: the newest TCP socket of this process that
// is connected to that port. nullopt if there is none.
std::optional<int> SocketToPort(int port);

std::optional<bool> TcpNoDelay(int fd);
void SetTcpNoDelay(int fd);
std::optional<int64_t> SendBufferBytes(int fd);
// What the buffer can still take; nullopt for what is no socket.
std::optional<int64_t> SendRoomBytes(int fd);
// Makes the buffer at least that large, as far as the system allows.
void WidenSendBuffer(int fd, int64_t bytes);

// Why a host cannot be reached, in the system's words: "Connection refused";
// empty if it can.
const char* WhyUnreachable(const char* host, int port);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PAHO_SOCKET_FACTS_H_
